"""What is looked for before types are followed, a topic a file."""
