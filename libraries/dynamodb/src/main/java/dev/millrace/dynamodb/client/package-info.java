/** The stores: the only callers of the SDK on the way of an acquire. */
@NullMarked
package dev.millrace.dynamodb.client;

import org.jspecify.annotations.NullMarked;
