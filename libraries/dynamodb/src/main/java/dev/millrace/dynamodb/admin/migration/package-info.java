/** Buckets of older schemas, all of them carried over in the background. */
@NullMarked
package dev.millrace.dynamodb.admin.migration;

import org.jspecify.annotations.NullMarked;
