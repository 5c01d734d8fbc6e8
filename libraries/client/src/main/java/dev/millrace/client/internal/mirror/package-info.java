/**
 * What this process remembers of each bucket: its snapshot, its shards, its configuration, its
 * write queue and its prefetched tokens.
 */
@NullMarked
package dev.millrace.client.internal.mirror;

import org.jspecify.annotations.NullMarked;
