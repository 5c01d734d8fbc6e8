/** A store with the throughput and the conflicts of DynamoDB partitions. */
@NullMarked
package dev.millrace.testkit.internal.model;

import org.jspecify.annotations.NullMarked;
