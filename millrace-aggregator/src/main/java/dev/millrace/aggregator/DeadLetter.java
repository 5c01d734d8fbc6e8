package dev.millrace.aggregator;

/**
 * A record that could not be understood.
 *
 * @param record as it came
 * @param error why
 */
public record DeadLetter(StreamRecord record, String error) {}
