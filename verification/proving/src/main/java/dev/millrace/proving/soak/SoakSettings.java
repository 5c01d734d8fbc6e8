package dev.millrace.proving.soak;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The settings of a soak.
 *
 * @param length how long processes are killed
 * @param processes how many limiter processes
 * @param seed decides who is killed when, and what the callers do
 * @param killEvery mean time between two kills
 * @param databaseEvery one of so many strikes is against the database, 0 for never
 * @param cutEvery about one of so many answers of the database is cut off, 0 for never
 * @param directory where the database and the journals are
 * @param dishonest whether the first worker charges once behind its journal's back
 */
public record SoakSettings(
    Duration length,
    int processes,
    long seed,
    Duration killEvery,
    int databaseEvery,
    int cutEvery,
    Path directory,
    boolean dishonest) {}
