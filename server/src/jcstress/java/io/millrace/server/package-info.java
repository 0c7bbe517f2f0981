/**
 * What two threads may see of requests and their answers, put before jcstress, as in {@code
 * io.millrace.server.pipeline}.
 */
package io.millrace.server;
