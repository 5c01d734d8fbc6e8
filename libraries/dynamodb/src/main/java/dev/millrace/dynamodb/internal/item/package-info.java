/** Buckets and records as items, and items as buckets and records. */
@NullMarked
package dev.millrace.dynamodb.internal.item;

import org.jspecify.annotations.NullMarked;
