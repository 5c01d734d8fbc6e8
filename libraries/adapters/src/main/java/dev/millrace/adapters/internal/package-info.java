/** Tools of the meters, shared with the server. Not for applications: they change at any time. */
@NullMarked
package dev.millrace.adapters.internal;

import org.jspecify.annotations.NullMarked;
