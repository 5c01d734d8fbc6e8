/** What the aggregator and the regions keep in S3, or in what speaks as S3 does. */
@NullMarked
package dev.millrace.s3;

import org.jspecify.annotations.NullMarked;
