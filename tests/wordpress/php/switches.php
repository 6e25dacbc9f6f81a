<?php
/**
 * What differs between WordPress sites, switched on by files in ABSPATH/switches and by the environment. Loaded by
 * WordPress as a must-use plugin.
 */
function is_switched_on(string $name): bool {
    return file_exists(ABSPATH . "switches/$name");
}

// Addresses in content are those of the place where it was written.
function at_this_address(string $html): string {
    return str_replace('http://wordpress.test', home_url(), $html);
}
add_filter('the_content', 'at_this_address', 99);
add_filter('get_the_excerpt', 'at_this_address', 99);

if (getenv('WORDPRESS_PLAIN')) add_filter('pre_option_permalink_structure', fn() => '');

// As classic themes do it.
add_filter('excerpt_more', fn() => '… <a class="more-link" href="' . get_permalink() . '">Continue reading<span class="screen-reader-text"> “' . get_the_title() . '”</span></a>');

// As plugins that hide the names of users do it.
add_filter('rest_endpoints', function ($endpoints) {
    if (!is_switched_on('closed-users')) return $endpoints;
    return array_filter($endpoints, fn($route) => strpos($route, '/wp/v2/users') !== 0, ARRAY_FILTER_USE_KEY);
});

// As plugins that close the REST API do it.
add_filter('rest_authentication_errors', function ($result) {
    return is_switched_on('closed-rest') ? new WP_Error('rest_cannot_access', 'Only for users.', array('status' => 401)) : $result;
});

add_action('rest_api_init', function () {
    if (is_switched_on('slow')) usleep(5000000);
    if (is_switched_on('counted')) file_put_contents(ABSPATH . 'switches/requests', $_SERVER['REQUEST_URI'] . "\n", FILE_APPEND | LOCK_EX);
});
