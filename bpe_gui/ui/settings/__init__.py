"""What the user has chosen, kept from one start to the next."""
