"""Listings with one node a line."""
