/** Conversations with a store as pure state machines: given the reply, what to ask next. */
@NullMarked
package dev.millrace.core.internal.protocol;

import org.jspecify.annotations.NullMarked;
