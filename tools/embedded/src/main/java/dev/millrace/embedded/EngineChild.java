package dev.millrace.embedded;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.net.BindException;
import org.jspecify.annotations.Nullable;

/**
 * The main class of the child process: runs DynamoDB Local for as long as its parent lives.
 *
 * <p><b>Ends with its parent.</b> The parent holds the other end of standard input and never writes
 * to it. However the parent ends, {@code kill -9} included, the operating system closes the pipe,
 * and the end of file is the sign to halt. A shutdown hook in the parent would miss that case.
 *
 * <p><b>Reports that it listens.</b> The engine's own {@code main} never returns, so from outside
 * one could only try the port, and be answered by another server that took it first. The engine is
 * therefore started through its factory method: once {@code start} has returned, the port is this
 * process's, and the line {@link #LISTENING} reports it.
 *
 * <p><b>Listens on the loopback address alone.</b> The engine has no option for that; its HTTP
 * server, Jetty, is configured before it starts.
 *
 * <p>Uses nothing but {@code java.base}: this is the only class of ours that the child loads.
 */
final class EngineChild {

  /** Printed on a line of its own once the engine holds its port. */
  static final String LISTENING = "millrace-engine: listening";

  /** Exit status when the port was taken; any other failure is {@link #EXIT_FAILED}. */
  static final int EXIT_PORT_TAKEN = 98;

  private static final int EXIT_FAILED = 1;
  private static final String RUNNER = "software.amazon.dynamodb.services.local.main.ServerRunner";

  private static final String JETTY = "org.eclipse.jetty.server.Server";

  /** The one address that it listens on, since it accepts any credentials. */
  static final String LOOPBACK = "127.0.0.1";

  private EngineChild() {}

  /** Takes the engine's own command line. */
  public static void main(String[] args) {
    haltWhenParentEnds();
    try {
      Object server = createServer(args);
      bindToLoopback(server);
      server.getClass().getMethod("start").invoke(server);
      System.out.println(LISTENING);
      server.getClass().getMethod("join").invoke(server);
    } catch (ReflectiveOperationException | RuntimeException e) {
      Throwable failure = e instanceof InvocationTargetException ? e.getCause() : e;
      if (failure != null) {
        failure.printStackTrace();
      }
      // Halts, since threads of a half-started engine would keep the process alive.
      Runtime.getRuntime().halt(isPortTaken(failure) ? EXIT_PORT_TAKEN : EXIT_FAILED);
    }
  }

  private static Object createServer(String[] args) throws ReflectiveOperationException {
    return Class.forName(RUNNER)
        .getMethod("createServerFromCommandLineArgs", String[].class)
        .invoke(null, (Object) args);
  }

  /**
   * Sets the address in every connector of the Jetty that {@code server} holds. Without one Jetty
   * listens on all interfaces, and an engine that other machines reach must not start.
   */
  private static void bindToLoopback(Object server) throws ReflectiveOperationException {
    Class<?> jetty = Class.forName(JETTY);
    int bound = 0;
    for (Class<?> type = server.getClass(); type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (jetty.isAssignableFrom(field.getType()) && field.trySetAccessible()) {
          bound += bindConnectors(jetty, field.get(server));
        }
      }
    }
    if (bound == 0) {
      throw new IllegalStateException("no connector that can be set to listen on " + LOOPBACK);
    }
  }

  private static int bindConnectors(Class<?> jetty, @Nullable Object held)
      throws ReflectiveOperationException {
    if (held == null) {
      return 0;
    }
    Object[] connectors = (Object[]) jetty.getMethod("getConnectors").invoke(held);
    for (Object connector : connectors) {
      connector.getClass().getMethod("setHost", String.class).invoke(connector, LOOPBACK);
    }
    return connectors.length;
  }

  private static void haltWhenParentEnds() {
    Thread watcher = new Thread(EngineChild::readToEndThenHalt, "millrace-parent-watcher");
    watcher.setDaemon(true);
    watcher.start();
  }

  private static void readToEndThenHalt() {
    try {
      while (System.in.read() != -1) {
        // Nothing is ever written; a stray byte is no reason to end.
      }
    } catch (IOException e) {
      // A broken pipe means the same as its end.
    }
    // Not exit: a shutdown hook that hangs would leave an orphan. The store on disk is a database
    // with a journal, made to survive this.
    Runtime.getRuntime().halt(0);
  }

  private static boolean isPortTaken(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof BindException) {
        return true;
      }
    }
    return false;
  }
}
