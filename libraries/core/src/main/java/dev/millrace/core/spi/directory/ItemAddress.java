package dev.millrace.core.spi.directory;

/**
 * The address of an item, in the store's own words. It comes out of a listing and goes back into an
 * erasure; nobody else looks into it.
 */
public record ItemAddress(String partition, String sort) {}
