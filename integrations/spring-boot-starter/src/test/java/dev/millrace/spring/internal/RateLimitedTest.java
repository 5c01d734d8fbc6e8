package dev.millrace.spring.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.RateLimitExceededException;
import dev.millrace.spring.RateLimited;
import dev.millrace.spring.test.MillraceTest;
import dev.millrace.spring.test.TestLedger;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Import;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Methods of all kinds, in the slice that tests of applications use. */
@MillraceTest
@Import({RateLimitedTest.Model.class, RateLimitedTest.Everything.class})
class RateLimitedTest {
  @Autowired private Model model;
  @Autowired private Everything everything;
  @Autowired private TestLedger ledger;

  private long tokens(String entity) {
    return ledger.consumed(entity, "model", "tokens");
  }

  @Test
  void value_thatReturns_isSettledWithItsResult() throws IOException {
    assertThat(model.ask("ann", "four")).isEqualTo("four");

    assertThat(tokens("ann")).isEqualTo(4);
    assertThat(ledger.consumed("ann", "model", "calls")).isEqualTo(1);
  }

  @Test
  void value_thatThrows_isGivenBackAndThrowsTheSame() {
    assertThatThrownBy(() -> model.ask("bob", "fail"))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("on purpose");

    assertThat(tokens("bob")).isZero();
    assertThat(ledger.consumed("bob", "model", "calls")).isZero();
  }

  @Test
  void value_overTheLimit_isRefusedBeforeTheMethodRuns() throws IOException {
    for (int i = 0; i < 3; i++) {
      model.ask("cat", "four");
    }
    int ran = model.ran;

    assertThatThrownBy(() -> model.ask("cat", "four"))
        .isInstanceOfSatisfying(
            RateLimitExceededException.class,
            refused -> assertThat(refused.rejection().primary().name()).isEqualTo("calls"));
    assertThat(model.ran).isEqualTo(ran);
    assertThat(tokens("cat")).isEqualTo(12);
  }

  @Test
  void value_whoseSettlingFails_returnsAndStaysCharged() {
    assertThat(model.unsettled("dan")).isNull();

    assertThat(tokens("dan")).isEqualTo(100);
  }

  @Test
  void stage_thatCompletes_isSettledThen() {
    CompletableFuture<String> work = new CompletableFuture<>();

    CompletionStage<String> result = model.later("eve", work);
    assertThat(tokens("eve")).isEqualTo(100);
    work.complete("seventeen");

    assertThat(result.toCompletableFuture()).isCompletedWithValue("seventeen");
    assertThat(tokens("eve")).isEqualTo(9);
  }

  @Test
  void stage_thatFails_isGivenBack() {
    CompletionStage<String> result =
        model.later("flo", CompletableFuture.failedFuture(new IOException("on purpose")));

    assertThatThrownBy(() -> result.toCompletableFuture().join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(IOException.class);
    assertThat(tokens("flo")).isZero();
  }

  @Test
  void mono_isChargedForEachSubscriber() {
    Mono<String> answer = model.one("gus");
    assertThat(tokens("gus")).isZero();

    assertThat(answer.block()).isEqualTo("one");
    assertThat(answer.block()).isEqualTo("one");

    assertThat(tokens("gus")).isEqualTo(6);
    assertThat(ledger.consumed("gus", "model", "calls")).isEqualTo(2);
  }

  @Test
  void flux_thatIsCancelled_isSettledWithWhatCame() {
    assertThat(model.many("hal", 10).take(4).collectList().block()).isEqualTo(List.of(1, 2, 3, 4));

    assertThat(tokens("hal")).isEqualTo(4);
  }

  @Test
  void flux_thatFailsInTheMiddle_isSettledWithWhatCame() {
    Flux<Integer> failing = model.many("ida", -3);

    assertThatThrownBy(() -> failing.collectList().block())
        .isInstanceOf(IllegalStateException.class);
    assertThat(tokens("ida")).isEqualTo(3);
  }

  @Test
  void flux_thatFailsAtOnce_isGivenBack() {
    Flux<Integer> failing = model.many("jim", 0);

    assertThatThrownBy(() -> failing.collectList().block())
        .isInstanceOf(IllegalStateException.class);
    assertThat(tokens("jim")).isZero();
  }

  @Test
  void type_annotated_limitsItsPublicMethods() {
    everything.first();
    everything.second();
    everything.hidden();

    assertThat(ledger.consumed("everybody", "everything", "calls")).isEqualTo(2);
  }

  @Test
  void annotationOfOnesOwn_limitsToo() {
    assertThat(model.composed("kim")).isEqualTo("kim");

    assertThat(ledger.consumed("model", "composed", "calls")).isEqualTo(1);
  }

  @Test
  void rule_withAMistake_keepsTheApplicationFromStarting() {
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(MillraceAutoConfiguration.class))
        .withPropertyValues("millrace.store=in-memory")
        .withBean(Mistaken.class)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasStackTraceContaining(
                        "@RateLimited Mistaken.ask() maxWait 'soon' is not a duration such as"
                            + " 500ms or 2s"));
  }

  @Retention(RetentionPolicy.RUNTIME)
  @RateLimited(entity = "#root.name()", resource = "composed", limits = "calls:3/day")
  @interface Composed {}

  @Retention(RetentionPolicy.RUNTIME)
  @RateLimited(
      entity = "#key",
      resource = "model",
      limits = {"calls:3/day", "tokens:1000/day"},
      consume = {"calls", "tokens=100"},
      settle = "tokens=#result.length()")
  @interface Asked {}

  static class Mistaken {
    @RateLimited(entity = "ann", resource = "model", limits = "calls:3/day", maxWait = "soon")
    public String ask() {
      return "never";
    }
  }

  @RateLimited(entity = "everybody", resource = "everything", limits = "calls:3/day")
  static class Everything {
    public void first() {}

    public void second() {}

    void hidden() {}
  }

  static class Model {
    int ran;

    public String name() {
      return "model";
    }

    @RateLimited(
        entity = "#key",
        resource = "model",
        limits = {"calls:3/day", "tokens:1000/day"},
        consume = {"calls", "tokens=#prompt.length() * 25"},
        settle = "tokens=#result.length()",
        maxWait = "0s")
    public String ask(String key, String prompt) throws IOException {
      ran++;
      if (prompt.equals("fail")) {
        throw new IOException("on purpose");
      }
      return prompt;
    }

    @Asked
    public @Nullable String unsettled(String key) {
      return null;
    }

    @Asked
    public CompletionStage<String> later(String key, CompletableFuture<String> work) {
      return work;
    }

    @Asked
    public Mono<String> one(String key) {
      return Mono.just("one");
    }

    @RateLimited(
        entity = "#key",
        resource = "model",
        limits = {"calls:3/day", "tokens:1000/day"},
        consume = {"calls", "tokens=100"},
        settle = "tokens=#count")
    public Flux<Integer> many(String key, int count) {
      Flux<Integer> elements = Flux.range(1, Math.abs(count));
      return count > 0
          ? elements
          : elements.concatWith(Flux.error(new IllegalStateException("on purpose")));
    }

    @Composed
    public String composed(String key) {
      return key;
    }
  }
}
