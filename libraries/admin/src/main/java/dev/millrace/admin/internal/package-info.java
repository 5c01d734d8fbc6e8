/** How it is done: no part of what applications may use. */
@NullMarked
package dev.millrace.admin.internal;

import org.jspecify.annotations.NullMarked;
