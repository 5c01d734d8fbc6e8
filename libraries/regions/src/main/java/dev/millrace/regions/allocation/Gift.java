package dev.millrace.regions.allocation;

/** A share that one region is to give to another. */
public record Gift(String from, String to, int ppm) {}
