/** The table: its keys, attributes and indexes. No other package knows their names. */
@NullMarked
package dev.millrace.dynamodb.schema;

import org.jspecify.annotations.NullMarked;
