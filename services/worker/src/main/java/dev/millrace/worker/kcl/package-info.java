/**
 * The Kinesis Client Library with its adapter for DynamoDB Streams: the assignment of shards to
 * workers, and their checkpoints. No other package uses either library.
 */
@NullMarked
package dev.millrace.worker.kcl;

import org.jspecify.annotations.NullMarked;
