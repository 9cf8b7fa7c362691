"""The bar of the player, and the line on which the cursor moves."""
