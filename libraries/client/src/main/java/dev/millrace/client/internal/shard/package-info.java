/**
 * Divided buckets: which shard a leg is charged to, when a bucket is divided or merged, and what
 * all shards together can give.
 */
@NullMarked
package dev.millrace.client.internal.shard;

import org.jspecify.annotations.NullMarked;
