package dev.millrace.cli.demo;

import dev.millrace.LimitStatus;
import dev.millrace.Rejection;
import dev.millrace.cli.demo.DemoAction.Answer;
import dev.millrace.cli.demo.DemoAction.Units;
import dev.millrace.cli.text.JsonText;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** For machines: one JSON object on one line for each step; amounts are millitokens. */
public final class JsonView implements DemoView {
  private final PrintWriter out;
  private final PrintWriter err;

  /** A view that prints the steps to {@code out}, and what takes long to {@code err}. */
  public JsonView(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public void progress(String line) {
    err.println(line);
  }

  @Override
  public void end(int number, String title, List<DemoAction> actions) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("step", number);
    json.put("title", title);
    json.put("actions", actions.stream().map(JsonView::action).toList());
    json.put("units", units(Units.total(actions)));
    out.println(JsonText.of(json));
  }

  private static Map<String, Object> action(DemoAction action) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("action", action.verb());
    json.put("tokens", action.amounts());
    json.put("answer", action.answer().name().toLowerCase(Locale.ROOT));
    if (action.answer() == Answer.WAITED) {
      json.put("waitedMs", action.waitedMs());
    }
    action.rejection().ifPresent(rejection -> json.put("rejection", rejection(rejection)));
    if (!action.balances().isEmpty()) {
      json.put("balances", action.balances().stream().map(JsonView::balance).toList());
    }
    json.put("calls", action.calls());
    json.put("units", units(action.units()));
    return json;
  }

  private static Map<String, Object> rejection(Rejection rejection) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("retryAfterMs", rejection.retryAfterMs());
    json.put("statuses", rejection.statuses().stream().map(JsonView::status).toList());
    return json;
  }

  private static Map<String, Object> status(LimitStatus status) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("limit", status.name());
    json.put("availableMilli", status.availableMilli());
    json.put("requestedMilli", status.requestedMilli());
    json.put("exceeded", status.exceeded());
    json.put("retryAfterMs", status.retryAfterMs());
    return json;
  }

  private static Map<String, Object> balance(LimitState state) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("limit", state.name());
    json.put("tokensMilli", state.tokensMilli());
    json.put("consumedMilli", state.consumedMilli());
    return json;
  }

  private static Map<String, Object> units(Units units) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("roundTrips", units.roundTrips());
    json.put("readUnits", units.readUnits());
    json.put("writeUnits", units.writeUnits());
    json.put("indexWriteUnits", units.indexWriteUnits());
    return json;
  }
}
