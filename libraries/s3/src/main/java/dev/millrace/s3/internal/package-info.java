/** The bucket of the exchange between regions. Not for use by applications. */
@NullMarked
package dev.millrace.s3.internal;

import org.jspecify.annotations.NullMarked;
