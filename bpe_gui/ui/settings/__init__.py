"""What the user has chosen, stored from one start to the next."""
