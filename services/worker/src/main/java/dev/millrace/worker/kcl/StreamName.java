package dev.millrace.worker.kcl;

import dev.millrace.aggregator.StreamRecord;
import java.util.regex.Pattern;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamRequest;
import software.amazon.awssdk.services.dynamodb.model.GetShardIteratorRequest;

/**
 * The two names of a stream: its own, and one that the adapter accepts.
 *
 * <p>The adapter accepts only names with a region of AWS. DynamoDB Local's region is {@code
 * ddblocal}, so a stream of it gets another towards the adapter, and its own again in what is sent.
 * Streams of AWS have one name.
 *
 * @param real the name that the table has
 * @param shown the name that the adapter gets
 */
record StreamName(String real, String shown) implements ExecutionInterceptor {
  private static final Pattern LOCAL = Pattern.compile("^(arn:[^:]+:dynamodb:)ddblocal:");

  /** The names of the stream that the table calls {@code arn}. */
  static StreamName of(String arn) {
    return new StreamName(arn, LOCAL.matcher(arn).replaceFirst("$1us-east-1:"));
  }

  /** The label that distinguishes it from earlier streams of the table. */
  String label() {
    return StreamRecord.labelOf(real);
  }

  @Override
  public SdkRequest modifyRequest(
      Context.ModifyRequest context, ExecutionAttributes executionAttributes) {
    SdkRequest request = context.request();
    if (request instanceof DescribeStreamRequest describe && shown.equals(describe.streamArn())) {
      return describe.toBuilder().streamArn(real).build();
    }
    if (request instanceof GetShardIteratorRequest iterator && shown.equals(iterator.streamArn())) {
      return iterator.toBuilder().streamArn(real).build();
    }
    return request;
  }
}
