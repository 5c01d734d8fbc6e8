/** Buckets of schema versions 1 and 2: read, and carried over into today's. */
@NullMarked
package dev.millrace.dynamodb.internal.legacy;

import org.jspecify.annotations.NullMarked;
