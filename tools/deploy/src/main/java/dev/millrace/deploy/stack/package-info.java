/** Stacks: made, changed, watched and deleted. */
@NullMarked
package dev.millrace.deploy.stack;

import org.jspecify.annotations.NullMarked;
