/** Buckets as items and items as buckets. */
@NullMarked
package dev.millrace.dynamodb.item;

import org.jspecify.annotations.NullMarked;
