/** Tables: made, checked and deleted. */
@NullMarked
package dev.millrace.dynamodb.admin;

import org.jspecify.annotations.NullMarked;
