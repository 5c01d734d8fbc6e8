/** Where dead letters are put, and from where they are read to be replayed. */
@NullMarked
package dev.millrace.worker.letters;

import org.jspecify.annotations.NullMarked;
