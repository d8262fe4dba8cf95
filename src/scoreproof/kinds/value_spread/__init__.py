"""A mean and its standard deviation, against what so many bounded values can have."""
