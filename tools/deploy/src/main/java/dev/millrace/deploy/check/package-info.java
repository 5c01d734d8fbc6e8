/** What may be wrong with a table. */
@NullMarked
package dev.millrace.deploy.check;

import org.jspecify.annotations.NullMarked;
