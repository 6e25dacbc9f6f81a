<?php
/** Runs the PHP of standard input in WordPress, as a plugin or an editor would. */
define('ABSPATH', getenv('WORDPRESS_DIR') . '/');
$_SERVER['HTTP_HOST'] = parse_url(getenv('WORDPRESS_HOME'), PHP_URL_HOST);
require ABSPATH . 'wp-load.php';
wp_set_current_user(1);
eval(stream_get_contents(STDIN));
