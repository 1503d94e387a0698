"""The pages of rules that readers, schemas and passes report."""
