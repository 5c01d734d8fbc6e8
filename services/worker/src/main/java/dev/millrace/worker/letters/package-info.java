/** Dead letters in files, and the replay of those in files, S3 and queues. */
@NullMarked
package dev.millrace.worker.letters;

import org.jspecify.annotations.NullMarked;
