"""Reports on labels that do not exclude each other: binary decisions each, averaged together."""
