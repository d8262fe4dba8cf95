"""Information retrieval: rankings and their measures, as trec_eval computes them."""
