// Filled by the work on Catalogue.
