/** The stores on DynamoDB, and the retries that their clients should have. */
@NullMarked
package dev.millrace.dynamodb.client;

import org.jspecify.annotations.NullMarked;
