"""The person's settings.json: hooks put in, taken out and watched over, to the byte."""
