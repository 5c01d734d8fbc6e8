package dev.millrace.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse.BatchItemFailure;
import dev.millrace.aggregator.Aggregator;
import dev.millrace.aggregator.BatchResult;
import dev.millrace.aggregator.StreamRecord;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Lambda function for batches of the table's stream. The event source must report failures of
 * single items ({@code ReportBatchItemFailures}): the response names the first record that was not
 * processed, from which Lambda retries.
 */
public final class AggregatorHandler
    implements RequestHandler<DynamodbEvent, StreamsEventResponse> {
  private static final Logger LOG = System.getLogger(AggregatorHandler.class.getName());

  private final Aggregator aggregator;

  /** With the {@link FunctionSettings} of the environment. Lambda calls this once per process. */
  public AggregatorHandler() {
    this(FunctionSettings.fromEnvironment(System.getenv()).aggregator());
  }

  AggregatorHandler(Aggregator aggregator) {
    this.aggregator = aggregator;
  }

  @Override
  public StreamsEventResponse handleRequest(DynamodbEvent event, @Nullable Context context) {
    List<StreamRecord> records =
        event.getRecords() == null
            ? List.of()
            : event.getRecords().stream().map(EventRecords::of).toList();
    BatchResult result = aggregator.process(records);
    String failed = result.firstFailed();
    if (failed == null) {
      return new StreamsEventResponse(List.of());
    }
    LOG.log(Level.ERROR, "Not done from record " + failed, result.failure());
    return new StreamsEventResponse(List.of(new BatchItemFailure(failed)));
  }
}
