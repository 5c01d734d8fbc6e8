/** The implementation of the administration; not for use by applications. */
@NullMarked
package dev.millrace.admin.internal;

import org.jspecify.annotations.NullMarked;
