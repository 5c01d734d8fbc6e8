/** What traffic costs. */
@NullMarked
package dev.millrace.deploy.cost;

import org.jspecify.annotations.NullMarked;
