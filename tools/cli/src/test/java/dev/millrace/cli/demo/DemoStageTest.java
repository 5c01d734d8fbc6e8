package dev.millrace.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.AcquireRequest;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.demo.DemoStage.Units;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The demo must fail when what it says is not so. */
class DemoStageTest {
  private static final AcquireRequest REQUEST =
      Demo.GATEWAY_KEY.consume("rpm", 1).consume("tpm", 500);

  private final StringWriter shown = new StringWriter();

  /** Creates every bucket for so many write units. */
  private DemoStage stage(double writeUnits) {
    BlockingStore store =
        (call, timeoutMs) -> {
          if (call instanceof StoreCall.Lookup) {
            return new StoreReply.Records(Map.of(), Receipt.NONE);
          }
          return call instanceof StoreCall.Write write
                  && write.plan() instanceof WritePlan.Create create
              ? new StoreReply.Applied(
                  create.state(), new Receipt(0, writeUnits, 2, Receipt.NO_TIME))
              : new StoreReply.Found(null, new Receipt(1, 0, 0, Receipt.NO_TIME));
        };
    CommandLine command =
        new CommandLine(CommandSpec.create())
            .setOut(new PrintWriter(shown))
            .setErr(new PrintWriter(shown));
    return new DemoStage(store, new DemoPrinter(command, /* json= */ true));
  }

  @Test
  void acquire_asClaimed_isReported() {
    DemoStage stage = stage(1);

    stage.acquire(REQUEST, Units.CREATION, "").close();

    assertThat(stage.left("tpm").tokensMilli()).isEqualTo(9_500_000);
    assertThat(stage.end()).hasSize(1);
  }

  @Test
  void acquire_otherUnits_fails() {
    assertThatThrownBy(() -> stage(2).acquire(REQUEST, Units.CREATION, ""))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("writeUnits=1.0")
        .hasMessageContaining("writeUnits=2.0");
  }

  @Test
  void acquire_refused_fails() {
    AcquireRequest tooMuch = Demo.GATEWAY_KEY.consume("tpm", 10_001);

    assertThatThrownBy(() -> stage(1).acquire(tooMuch, Units.CREATION, ""))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("is admitted");
  }

  @Test
  void refuse_admitted_fails() {
    assertThatThrownBy(() -> stage(1).refuse(REQUEST, ""))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("is refused");
  }

  @Test
  void refuse_withACostWhileFresh_fails() {
    AcquireRequest tooMuch = Demo.GATEWAY_KEY.consume("tpm", 10_001);

    assertThatThrownBy(() -> stage(1).refuse(tooMuch, ""))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("a refusal costs");
  }
}
