/**
 * The Kinesis Client Library with its adapter for DynamoDB Streams: who reads which shard, and how
 * far. The only place that knows either.
 */
@NullMarked
package dev.millrace.worker.kcl;

import org.jspecify.annotations.NullMarked;
