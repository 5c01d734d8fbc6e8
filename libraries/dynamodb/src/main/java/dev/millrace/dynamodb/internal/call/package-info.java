/** The conversation with DynamoDB for one call: its steps, retries, failures and receipts. */
@NullMarked
package dev.millrace.dynamodb.internal.call;

import org.jspecify.annotations.NullMarked;
