package dev.millrace.core.directory;

/**
 * Where an item is, in the store's own words. It comes out of a listing and goes back into an
 * erasure; nobody else looks into it.
 */
public record ItemAddress(String partition, String sort) {}
