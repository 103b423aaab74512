"""Files as others wrote them: read with care, written whole or not at all."""
