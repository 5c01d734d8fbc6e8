/** Listings as requests, and items as their entries. Pure: nothing is sent from here. */
@NullMarked
package dev.millrace.dynamodb.internal.query;

import org.jspecify.annotations.NullMarked;
