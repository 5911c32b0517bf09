"""Put hooks into the person's settings.json, take them out and watch over them, exact to the byte."""
