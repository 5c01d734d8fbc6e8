package dev.millrace.deploy.cost;

/**
 * A line of the bill, for a month and all regions together.
 *
 * @param group writes, reads, stream, storage, lambda or s3
 * @param what it is for
 * @param amount how much of it
 * @param unit of what
 * @param dollars what it costs
 */
public record CostItem(String group, String what, double amount, String unit, double dollars) {}
