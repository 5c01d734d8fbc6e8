/** What the documents say, put to the test. */
@NullMarked
package dev.millrace.docs;

import org.jspecify.annotations.NullMarked;
