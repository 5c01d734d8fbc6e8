/** The table: its keys, attributes and indexes. No other package knows their names. */
@NullMarked
package dev.millrace.dynamodb.internal.schema;

import org.jspecify.annotations.NullMarked;
