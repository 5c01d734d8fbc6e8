package dev.millrace.regions.allocation;

/** Share that one region is to give to another. */
public record Gift(String from, String to, int ppm) {}
