/** The data of the aggregator and the regions in S3, or in servers with its protocol. */
@NullMarked
package dev.millrace.s3;

import org.jspecify.annotations.NullMarked;
