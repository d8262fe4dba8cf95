"""A printed mean or standard deviation against the printed rows it is said to be of."""
